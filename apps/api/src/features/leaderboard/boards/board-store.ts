import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { visibleTokens } from '../../../database/visible-tokens.ts'

/** A player as shown on a board. */
export interface ListedPlayer {
  readonly userId: UserId
  readonly username: string
  readonly profilePictureUrl: string | null
}

/** A rug pull as shown on its board. */
export interface ListedRug {
  readonly tokenId: TokenId
  readonly tokenName: string
  readonly tokenSymbol: string
  readonly emoji: string
  readonly seq: number
  readonly ruggedAt: Date
  readonly creator: ListedPlayer
}

/** Keeps the players who are neither bots nor deleted. */
export async function findListedPlayers(
  db: Kysely<Database>,
  ids: readonly UserId[],
): Promise<Map<UserId, ListedPlayer>> {
  const { rows } = await sql<ListedPlayer>`
    select id as "userId", username, profile_picture_url as "profilePictureUrl" from users
     where id = any(${ids}::int[]) and kind = 'player' and deleted_at is null`.execute(db)
  return new Map(rows.map((player) => [player.userId, player]))
}

/** The rug pulls of those tokens that are visible, by creators who are people and not deleted. */
export async function findListedRugs(db: Kysely<Database>, ids: readonly TokenId[]): Promise<Map<TokenId, ListedRug>> {
  const { rows } = await sql<ListedRug>`
    select t.id as "tokenId", t.name as "tokenName", t.symbol as "tokenSymbol", t.emoji, r.seq, r.created_at as "ruggedAt",
           json_build_object('userId', u.id, 'username', u.username, 'profilePictureUrl', u.profile_picture_url) as creator
      from ${visibleTokens} t join rugs r on r.token_id = t.id join users u on u.id = t.creator_id
     where t.id = any(${ids}::int[]) and u.kind = 'player' and u.deleted_at is null`.execute(db)
  return new Map(rows.map((rug) => [rug.tokenId, rug]))
}
