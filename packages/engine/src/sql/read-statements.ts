import type pg from 'pg'
import type { TokenId, UserId } from '../ids.ts'
import { manyRows } from './columns.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row is what its statement selects; each reader below names its own columns.
export type Row = any
/** The rows of a statement by its name; none of one that was not sent. */
export type Answers = (name: string) => Row[]

/**
 * Sends named statements as one simple-protocol message: one round trip. Nothing in them comes from outside unescaped.
 */
export async function rowsOf(client: pg.ClientBase, statements: Readonly<Record<string, string>>): Promise<Answers> {
  const names = Object.keys(statements)
  const results = (await client.query(Object.values(statements).join(';'))) as unknown as pg.QueryResult<Row>[]
  // Of one statement alone pg returns no list.
  const rows = new Map([results].flat().map((result, i) => [names[i], result.rows]))
  return (name) => rows.get(name) ?? []
}

/** A player's holding of a token. */
export interface HoldingKey {
  readonly tokenId: TokenId
  readonly userId: UserId
}

/** Pools with whether their tokens are hidden; a lock may follow, of `p`. */
export const poolsOf = (tokenIds: readonly TokenId[]): string =>
  `select p.token_id, p.sol_reserve, p.virtual_sol, p.token_reserve, p.fees, p.price, p.seq, p.last_event_at,
     encode(p.chain_head, 'hex') as chain_head, t.hidden_at is not null as is_hidden
   from pools p join tokens t on t.id = p.token_id where p.token_id in (${ids(tokenIds)})`

/** Of players who hold more, it is not remembered what they hold: to read it would take longer than it saves. */
export const HELD_MAX = 16

export const ACCOUNT = 'a.user_id, a.sol_balance, u.username'

/**
 * With the tokens of which the player has a holding, one more than `HELD_MAX` at most. Not where accounts are locked: who waited
 * for a lock sees holdings as they were before.
 */
export const ACCOUNT_AND_HELD = `${ACCOUNT},
  array(select h.token_id from holdings h where h.user_id = a.user_id limit ${HELD_MAX + 1}) as held`

/** Accounts with their players' names; a lock may follow, of `a`. */
export const accountsOf = (userIds: readonly UserId[], columns = ACCOUNT): string =>
  `select ${columns}
   from accounts a join users u on u.id = a.user_id where a.user_id in (${ids(userIds)})`

/** Holdings, as the statement `holdings`; none for none. */
export function holdingsOf(pairs: readonly HoldingKey[]): Record<string, string> {
  if (pairs.length === 0) return {}
  const values = pairs.map(({ tokenId, userId }) => `(${tokenId},${userId})`).join(',')
  const holdings = `select h.token_id, h.user_id, h.amount, h.cost from (values ${values}) k (token_id, user_id)
     join holdings h on h.token_id = k.token_id and h.user_id = k.user_id`
  return { holdings }
}

/** The same by a statement that is planned once. */
export async function preparedHoldings(client: pg.ClientBase, pairs: readonly HoldingKey[]): Promise<Answers> {
  const { rows } = await client.query({
    name: 'read-holdings',
    text: READ_HOLDINGS,
    values: [manyRows.texts(pairs, ({ tokenId }) => tokenId), manyRows.texts(pairs, ({ userId }) => userId)],
  })
  return (name) => (name === 'holdings' ? rows : [])
}

// Each is looked up by its key, however small the table was when this was planned.
const READ_HOLDINGS = `
  select h.token_id, h.user_id, h.amount, h.cost from unnest($1::int[], $2::int[]) k (token_id, user_id)
    cross join lateral (select * from holdings h where h.token_id = k.token_id and h.user_id = k.user_id offset 0) h`

/** A list for `in (…)`; 0 is nobody's id, and an empty list would be no SQL. */
export function ids(values: readonly number[]): string {
  return values.length === 0 ? '0' : values.join(',')
}
