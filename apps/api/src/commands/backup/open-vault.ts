import type { Config } from '../../config.ts'
import { openPlace } from '../../features/backup/place/open-place.ts'
import { Vault } from '../../features/backup/place/vault.ts'

export async function openVault(place: string, config: Config): Promise<Vault> {
  return new Vault(await openPlace(place, config), config.backup.keys)
}
