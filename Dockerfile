# One image for every service: the command chooses which, as apps/<service>/dist/main.js.

# The package files alone, so that dependencies are installed again only when one of them changes.
FROM node:20-slim AS manifests
WORKDIR /lacuna
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete && find . -type d -empty -delete

FROM node:20-slim AS build
WORKDIR /lacuna
COPY --from=manifests /lacuna ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir /built && find apps libs -type f -path '*/dist/*.js' -exec cp --parents -t /built {} +

# Without what only tests, builds and the embedded mode need (its PostgreSQL is an optional dependency).
FROM node:20-slim AS dependencies
WORKDIR /lacuna
COPY --from=manifests /lacuna ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:20-slim
ENV NODE_ENV=production LACUNA_HTTP_HOST=0.0.0.0 LACUNA_HTTP_PORT=8080
WORKDIR /lacuna
# The folder of the signing key: a volume that is mounted here belongs to the same user.
RUN install -d -o node -g node -m 755 /var/lib/lacuna/keys
COPY --from=dependencies /lacuna ./
COPY --from=build /built ./
COPY registers ./registers
COPY libs/connectors/presets ./libs/connectors/presets
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.LACUNA_HTTP_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["apps/gateway/dist/main.js"]
