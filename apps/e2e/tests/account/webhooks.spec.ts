import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { expectToast, tryAgain } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

interface Receiver {
  readonly url: string
  /** Types of the messages that the program has received so far. */
  readonly types: readonly string[]
  /** The status with which the program responds to all messages except challenges. */
  status: number
  close(): Promise<void>
}

/** Starts a player's program that receives webhook messages and responds to challenges. */
async function startReceiver(): Promise<Receiver> {
  const types: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { type, data } = JSON.parse(text)
    types.push(type)
    response.writeHead(type === 'challenge' ? 200 : receiver.status).end(data.challenge ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/papermoon`,
    types,
    status: 204,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

test('a webhook is added, confirmed, tested and removed @nightly', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/, /400/)
  const receiver = await startReceiver()
  const { id } = (await player.call('/api/fairs', { kind: 'room', name: 'Hooked room' })).fair
  const page = await visit('/developers', {
    as: player,
    // This request is part of a batch with the other panels' requests.
    prepare: (it) => it.route('**/trpc/*webhooks.list*', (route) => route.abort()),
  })
  const panel = page.getByRole('region', { name: 'Your webhooks' })
  await expect(panel.getByRole('heading', { name: 'Could not load your webhooks' })).toBeVisible()
  await page.unrouteAll()
  await tryAgain(panel, panel.getByText('You have no webhooks yet.'))
  await panel.getByLabel('URL', { exact: true }).fill('https://10.0.0.1/')
  await panel.getByRole('button', { name: 'Add webhook' }).click()
  await expectToast(page, 'Could not add the webhook', 'url must be a public https URL.')
  await panel.getByLabel('URL', { exact: true }).fill(receiver.url)
  await panel.getByLabel('All trades').check()
  await panel.getByRole('button', { name: 'Add webhook' }).click()

  const fresh = page.getByRole('region', { name: /^Secret for 127\.0\.0\.1/ })
  await expect(fresh.locator('code')).toHaveText(/^whsec_[\w+/]{43}=$/)
  await expect(fresh).toBeFocused()
  await fresh.getByRole('button', { name: 'Done' }).click()
  await expect(panel.getByLabel('URL', { exact: true })).toBeFocused()
  const row = panel.getByRole('list', { name: 'Your webhooks' }).getByRole('listitem')
  await expect(row).toContainText('Working')
  await expect(row).toContainText('Your trades + Your notifications + All trades')
  expect(receiver.types).toEqual(['challenge'])

  receiver.status = 503
  await row.getByRole('button', { name: `Send test: ${receiver.url}` }).click()
  await expectToast(page, 'Test sent', 'The result appears here in a moment.')
  await expect.poll(() => receiver.types).toContain('ping')
  await expect(row).toContainText('the response had status 503')
  await page.setViewportSize(windows.phone)
  await expectGoodLooks(page)

  await row.getByRole('button', { name: `Remove ${receiver.url}` }).click()
  await row.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: `Remove ${receiver.url}` }).click()
  await row.getByRole('button', { name: `Yes, remove ${receiver.url}` }).click()
  await expectToast(page, 'Webhook removed', 'We no longer send messages to this URL.')
  await expect(panel).toContainText('You have no webhooks yet.')
  // On a phone, the toast covers the end of the page.
  await expect(page.getByText('We no longer send messages to this URL.')).toHaveCount(0)

  await panel.getByLabel('URL', { exact: true }).fill(receiver.url)
  await panel.getByLabel('Fair starts and ends').check()
  await panel.getByRole('group', { name: 'Send events from these fairs' }).getByLabel('Hooked room').check()
  await panel.getByRole('button', { name: 'Add webhook' }).click()
  await expect(row).toContainText(`Fair starts and ends · fairs #${id}`)
  await receiver.close()
})
