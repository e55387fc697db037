/** The tenants that registers are published for, from a comma list; one tenant, `default`, when there is none. */
export function tenantsOf(list: string | null | undefined): readonly string[] {
  const tenants = (list ?? '')
    .split(',')
    .map((tenant) => tenant.trim())
    .filter((tenant) => tenant !== '');
  const wrong = tenants.find((tenant) => !/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenant));
  if (wrong !== undefined)
    throw new Error(`LACUNA_TENANTS must be a comma list of lower-case letters, digits and hyphens; "${wrong}" is not one`);
  return tenants.length > 0 ? [...new Set(tenants)] : ['default'];
}
