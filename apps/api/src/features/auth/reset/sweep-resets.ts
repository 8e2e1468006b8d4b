import type { App } from '../../../context.ts'
import { deleteOldResets } from './store.ts'

/** Deletes reset codes that expired, and tries at them that count no more. */
export function createResetSweep({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<void> {
  return () => deleteOldResets(db, clock.now())
}
