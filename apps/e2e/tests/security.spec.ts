import { expectGoodLooks } from '../support/looks.ts'
import type { Player } from '../support/player.ts'
import { expectToast } from '../support/screen.ts'
import type { Server } from '../support/server.ts'
import { expect, test } from '../support/test.ts'

/** As if the player had signed in long ago. */
async function forgetProof(server: Server, { username }: Player): Promise<void> {
  await server.change((db) =>
    db
      .updateTable('sessions')
      .set({ confirmed_at: null })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('username', '=', username))
      .execute(),
  )
}

test('a dangerous act asks whether it is still the player, and goes on after that', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/403/)
  const page = await visit('/settings', { as: player })
  await forgetProof(server, player)
  const panel = page.getByRole('region', { name: 'API keys' })
  await panel.getByLabel('Name of the key').fill('Moon bot')
  await panel.getByRole('button', { name: 'Make Key' }).click()

  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  const password = dialog.getByLabel('Your password')
  await expect(password).toBeFocused()
  await expectGoodLooks(page)
  await password.fill('not mine')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This is not your password.')

  await page.keyboard.press('Escape')
  await expectToast(page, 'Key Refused', 'Please confirm that it is you, then try again.')
  await expect(panel.getByRole('button', { name: 'Make Key' })).toBeFocused()

  await page.keyboard.press('Enter')
  await password.fill(player.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'The new key Moon bot' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
