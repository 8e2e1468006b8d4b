import type { Database } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'

/**
 * The table `tokens` without what an operator has hidden. Whatever everyone may read joins this instead of `tokens`.
 * PostgreSQL inlines it, so indexes serve as they do for the table.
 */
export const visibleTokens = sql<Selectable<Database['tokens']>>`(select * from tokens where hidden_at is null)`
