import type { AppRouter } from '@papermoon/api/router'

type Procedures = AppRouter['_def']['record']
type QueriesIn<Name extends keyof Procedures> = {
  [Key in keyof Procedures[Name]]: Procedures[Name][Key] extends { _def: { type: 'query' } }
    ? `${Name}.${Key & string}`
    : never
}[keyof Procedures[Name]]

/** The path of any query of the API, such as `tokens.get`. */
export type QueryPath = { [Name in keyof Procedures]: QueriesIn<Name> }[keyof Procedures]

/** Queries whose answer is the same for every visitor. All others are private: `forgetPlayer` drops their answers. */
export const PUBLIC_QUERIES: readonly QueryPath[] = [
  'leaderboard.get',
  'proof.summary',
  'proof.chain',
  'proof.checkpoints',
  'proof.heads',
  'proof.headsAt',
  'site.settings',
  'tokens.list',
  'tokens.movers',
  'tokens.tape',
  'tokens.get',
  'tokens.trades',
  'tokens.holders',
  'tokens.chart',
  'tokens.rugStory',
  'users.profile',
]
