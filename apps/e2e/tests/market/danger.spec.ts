import { expectGoodLooks, windows } from '../../support/looks.ts'
import { expect, test } from '../../support/test.ts'

const TITLE = 'What if large holders sold everything?'

for (const [device, viewport] of Object.entries(windows)) {
  test(`the danger panel and the talk load late without moving the page, fit, and are accessible on a ${device}`, {
    tag: '@looks',
  }, async ({ visit, player }) => {
    const tokenId = await player.launch({ name: 'Steady Tent', symbol: 'STEADY', initialBuyAmount: '1' })
    const page = await visit('/docs', { viewport })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/danger-panel|talk\.list/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`/token/${tokenId}`)
    const below = page.getByRole('region', { name: 'Top Holders' })
    const top = async () => (await below.boundingBox())?.y
    await expect(below).toContainText('3.22%')
    const before = await top()
    release()
    await expect(page.getByRole('region', { name: TITLE })).toContainText('has launched no other token')
    await expect(page.getByText('No posts yet.')).toBeVisible()
    expect(await top()).toBe(before)
    await expectGoodLooks(page)
  })
}
