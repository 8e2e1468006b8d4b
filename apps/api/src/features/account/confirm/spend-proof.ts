import type { Database } from '@papermoon/db'
import type { Transaction } from 'kysely'

/** Uses up a proof in the transaction that records the confirmation; throws if it is no longer valid. */
export type SpendProof = (tx: Transaction<Database>) => Promise<void>
