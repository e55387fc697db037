import type { Application } from 'express';

interface RouterLayer {
  readonly match: (path: string) => boolean;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** The methods that the router has for a path, upper case; none: nothing is there. */
export function allowedMethods(app: Application, path: string): string[] {
  const layers = (app as unknown as { router?: { stack?: readonly RouterLayer[] } }).router?.stack ?? [];
  const found = layers.flatMap((layer) => (layer.route && matches(layer, path) ? Object.keys(layer.route.methods) : []));
  return [...new Set(found.filter((method) => !method.startsWith('_')).map((method) => method.toUpperCase()))].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
