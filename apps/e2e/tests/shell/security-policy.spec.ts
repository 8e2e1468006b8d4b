import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

test('no text becomes HTML or a script, and devices stay closed', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/the security policy blocked/, /Trusted/, /Content Security Policy/)
  const page = await visit('/docs', { serviceWorkers: 'allow' })
  const warnings: string[] = []
  page.on('console', (message) => warnings.push(message.text()))
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  // Unknown policy names would log a warning in the console of every visitor.
  expect(warnings.filter((text) => text.includes('Permissions-Policy'))).toEqual([])
  await expectDeviceClosed(page)
  const outcomes = await page.evaluate(async () => {
    const at = globalThis as unknown as {
      eval(code: string): unknown
      trustedTypes: { createPolicy(name: string, policy: object): unknown }
    }
    const script = () => document.createElement('script')
    const attempts: Record<string, () => unknown> = {
      'HTML with a tag': () => Object.assign(document.createElement('p'), { innerHTML: '<b>x</b>' }),
      'adjacent HTML': () => document.body.insertAdjacentHTML('beforeend', '<img src=x>'),
      'a written page': () => document.write('<p>x</p>'),
      'a framed page': () => Object.assign(document.createElement('iframe'), { srcdoc: '<p>x</p>' }),
      'the address of a script': () => Object.assign(script(), { src: '/assets/x.js' }),
      'the address of our worker as that of a script': () => Object.assign(script(), { src: '/sw.js?x' }),
      'the text of a script': () => Object.assign(script(), { textContent: 'alert(1)' }),
      eval: () => at.eval('1'),
      'a policy of its own': () => at.trustedTypes.createPolicy('evil', {}),
      'a second default policy': () => at.trustedTypes.createPolicy('default', {}),
      'another worker': () => navigator.serviceWorker.register('/assets/x.js'),
      'text without a tag': () => Object.assign(document.createElement('p'), { innerHTML: 'a &amp; b' }),
      'our worker': () => navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }),
    }
    const found: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(attempts)) {
      // Run this in one of the page's own tasks, because tasks of the test tool may evaluate text.
      found[name] = await new Promise((resolve) => setTimeout(resolve)).then(attempt).then(
        () => 'allowed',
        () => 'refused',
      )
    }
    return found
  })
  const allowed = Object.keys(outcomes).filter((name) => outcomes[name] === 'allowed')
  expect(allowed).toEqual(['text without a tag', 'our worker'])
  expect(Object.keys(outcomes)).toHaveLength(13)
})

async function expectDeviceClosed(page: Page): Promise<void> {
  const allowed = await page.evaluate(() => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures(): string[] } }
    return featurePolicy.allowedFeatures()
  })
  for (const name of ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'])
    expect(allowed).toContain(name)
  const device = ['camera', 'microphone', 'geolocation', 'usb', 'payment', 'display-capture', 'clipboard-read', 'hid']
  expect(device.filter((name) => allowed.includes(name))).toEqual([])
}
