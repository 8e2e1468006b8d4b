import type { App } from '../../context.ts'
import { deleteOldChallenges } from '../passkeys/store.ts'

/** Deletes the passkey challenges that nobody answered in time. */
export function createChallengeSweep({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<void> {
  return () => deleteOldChallenges(db, clock.now())
}
