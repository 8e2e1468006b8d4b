export type Scope = 'market' | 'read' | 'trade' | 'reset'

/**
 * Returns the scopes of the key that a README's program needs, from its text: "a key that has the scopes `market` and
 * `trade`".
 */
export function readScopes(readme: string): Scope[] {
  const [, names = ''] = /a key that has the scopes? ([`a-z, \n]+)/.exec(readme) ?? []
  const scopes = names.match(/`(market|read|trade|reset)`/g) ?? []
  if (scopes.length === 0) throw new Error('The README names no scopes.')
  return scopes.map((scope) => scope.slice(1, -1) as Scope)
}
