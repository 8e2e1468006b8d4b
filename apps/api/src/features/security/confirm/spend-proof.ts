import type { Database } from '@papermoon/db'
import type { Transaction } from 'kysely'

/** Uses a proof up in the transaction that notes it; throws where it is good no more. */
export type SpendProof = (tx: Transaction<Database>) => Promise<void>
