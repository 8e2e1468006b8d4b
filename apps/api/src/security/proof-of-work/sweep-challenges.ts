import type { App } from '../../context.ts'
import { deleteOldChallenges } from '../passkeys/store.ts'

/** Creates a sweep that deletes expired passkey challenges. */
export function createChallengeSweep({ db, clock }: Pick<App, 'db' | 'clock'>): () => Promise<void> {
  return () => deleteOldChallenges(db, clock.now())
}
