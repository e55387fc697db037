import type { Application } from 'express';

interface RouterLayer {
  readonly match: (path: string) => boolean;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** A route for more methods than these is middleware: it has seen the request and passed it on. */
const NAMED_METHODS_MAX = 8;

/** The methods that the router has for a path, upper case; none: nothing is there. */
export function allowedMethods(app: Application, path: string): string[] {
  const layers = (app as unknown as { router?: { stack?: readonly RouterLayer[] } }).router?.stack ?? [];
  const found = layers.flatMap((layer) => (layer.route && matches(layer, path) ? [Object.keys(layer.route.methods)] : []));
  const named = found.filter((methods) => methods.length <= NAMED_METHODS_MAX).flat();
  return [...new Set(named.map((method) => method.toUpperCase()))].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
