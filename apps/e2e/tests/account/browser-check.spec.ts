import { newAccount, registerPlayer } from '../../support/player.ts'
import { authForm } from '../../support/screen.ts'
import { startServer } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

test('after many wrong passwords, the owner’s browser solves a puzzle @nightly', async ({ visit, expectedErrors }) => {
  // The server rejects the request with a proof-of-work challenge.
  expectedErrors.push(/status of 429/)
  const server = await startServer({ RATE_LIMIT: 'on' })
  const player = await registerPlayer(server.url)
  const wrong = () =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: player.email, password: 'wrong-1' }),
    })
  for (let i = 0; i < 11; i++) await wrong()
  expect((await wrong()).status).toBe(429)

  const page = await visit(`${server.url}/auth`)
  await page.evaluate(() => {
    const shown = new Set<string>()
    Object.assign(globalThis, { shown })
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('form button, form [role=status]')) shown.add(textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    addEventListener('beforeunload', () => sessionStorage.setItem('shown', JSON.stringify([...shown])))
  })
  const form = authForm(page, 'Login')
  await form.getByLabel('Email').fill(player.email)
  await form.getByLabel('Password', { exact: true }).fill(player.password)
  await form.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  const shown: unknown = await page.evaluate(() => JSON.parse(sessionStorage.getItem('shown') ?? '[]'))
  expect(shown).toEqual(expect.arrayContaining(['Checking your browser...', expect.stringContaining('small puzzle')]))
  // Close the pages before the server, because they would otherwise log failed requests.
  await page.context().close()
  await server.remove()
})

test('a password link works without a code and leaves the address bar @nightly', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/status of 400/)
  const { email } = newAccount()
  const secret = 'abcDEF_-'.repeat(6).slice(0, 43)
  const page = await visit(`/reset-password#${secret}&email=${encodeURIComponent(email)}`)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page).toHaveURL('/reset-password')
  await expect(page.getByPlaceholder('6-digit code')).toHaveCount(0)
  await page.getByLabel('New Password').fill('a cardboard sea')
  await page.getByLabel('Confirm Password').fill('a cardboard sea')
  const [call] = await Promise.all([
    page.waitForRequest(/auth\.resetPassword/),
    page.getByRole('button', { name: 'Reset Password' }).click(),
  ])
  expect(call.postDataJSON().json).toEqual({ token: secret, newPassword: 'a cardboard sea', email })

  // A reset link from the operator identifies the account. The account stays in the URL after a reload, and the page
  // sends it to no server.
  await page.goto('/healthz')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`/reset-password#email=${encodeURIComponent(email)}`)
  await expect(page.getByText(email)).toBeVisible()
  await page.reload()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByPlaceholder('6-digit code')).toBeVisible()
  expect(asked.filter((url) => new URL(url).search.includes(encodeURIComponent(email)))).toEqual([])
})
