import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The window sizes in which screens are checked. */
export const windows = { phone: { width: 375, height: 812 }, desktop: { width: 1280, height: 800 } }

/** The axe rules that depend on colours. All other rules give the same result in both colour schemes. */
export const colourRules = ['color-contrast', 'link-in-text-block']
const schemeKey = 'mantine-color-scheme-value'

type Scheme = 'dark' | 'light'

/** Checks in both colour schemes that the page does not scroll sideways and that axe finds no problem. */
export async function expectGoodLooks(page: Page): Promise<void> {
  const scheme = await readScheme(page)
  await expectGoodLooksAsIs(page)
  await changeScheme(page, scheme === 'dark' ? 'light' : 'dark')
  await expectFit(page)
  expect(await findFaint(page)).toEqual([])
  await changeScheme(page, scheme)
}

/** Checks only the page's current colour scheme, for pages without the app's scripts. */
export async function expectGoodLooksAsIs(page: Page): Promise<void> {
  // Wait for the page's content, because axe finds no problems on an empty page.
  await expect(page.locator('main')).toBeVisible()
  await expectFit(page)
  expect(await findBarriers(page)).toEqual([])
}

/**
 * Creates an axe that finds the same violations as axe with its defaults, but is three times as fast. By default, axe
 * also describes every element that passes, and merges results in a separate page for frames from other origins, which
 * this app does not have.
 */
function createAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
}

async function expectFit(page: Page): Promise<void> {
  expect(await findSmallFields(page)).toEqual([])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide).toBe(0)
}

/** Returns fields with letters smaller than 16 pixels, because iOS zooms into them. */
export function findSmallFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('input, textarea, select')]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML),
  )
}

/** Returns all axe violations with any impact, and their locations. */
export async function findBarriers(page: Page): Promise<string[]> {
  return describe((await createAxe(page).analyze()).violations)
}

/** Returns the page's text that has too little contrast. */
export async function findFaint(page: Page): Promise<string[]> {
  return describe((await createAxe(page).withRules(colourRules).analyze()).violations)
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

function describe(violations: Violations): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id} (${help}) at ${target}: ${html}`),
  )
}

async function readScheme(page: Page): Promise<Scheme> {
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-mantine-color-scheme', /^(dark|light)$/)
  return (await html.getAttribute('data-mantine-color-scheme')) === 'light' ? 'light' : 'dark'
}

/**
 * Changes the colour scheme as if the player had chosen it in another tab. CSS follows the new scheme by itself, and
 * the scripts that draw canvases are notified.
 */
export async function changeScheme(page: Page, scheme: Scheme): Promise<void> {
  await page.evaluate(
    ([key, value]) => {
      localStorage.setItem(key, value)
      document.documentElement.dataset.mantineColorScheme = value
      dispatchEvent(new StorageEvent('storage', { key, newValue: value, storageArea: localStorage }))
    },
    [schemeKey, scheme] as const,
  )
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  // Wait, because canvases are drawn again in the next frames.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}
