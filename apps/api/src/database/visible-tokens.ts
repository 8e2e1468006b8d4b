import type { Database } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'

/**
 * The table `tokens` without tokens that an operator has hidden. Public queries join this instead of `tokens`.
 * PostgreSQL inlines it, so it uses the same indexes as the table.
 */
export const visibleTokens = sql<Selectable<Database['tokens']>>`(select * from tokens where hidden_at is null)`
