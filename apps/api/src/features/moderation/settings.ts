import type { Line } from '@papermoon/contract/admin'
import { showSettings } from '../../config.ts'

/** Lists the settings in force, as `npm run config` prints them; secrets are hidden. */
export function listSettings(): Line[] {
  return showSettings().map(({ name, value, from }) => ({ title: name, note: `${value ?? '–'} (${from})` }))
}
