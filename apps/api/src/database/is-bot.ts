import { sql } from 'kysely'

/** SQL for whether a user `u` is a bot, declared by its owner or run by the house. */
export const IS_BOT = sql<boolean>`(u.kind <> 'player')`
