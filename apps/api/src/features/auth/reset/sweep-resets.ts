import type { App } from '../../../context.ts'
import { deleteOldResets } from './store.ts'

/** Deletes expired reset codes and tries at them that no longer count. */
export function createResetSweep({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<void> {
  return () => deleteOldResets(db, clock.now())
}
