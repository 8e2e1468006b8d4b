import { expect, type Page } from '@playwright/test'
import { colourRules, findBarriers, findFaint } from './looks.ts'

/** Where in their duration animations are held. */
const MOMENTS = [0, 0.25, 0.5, 0.75]

declare global {
  interface Window {
    axe?: {
      run(
        within: string,
        options: object,
      ): Promise<{ violations: readonly { id: string; nodes: readonly { html: string }[] }[] }>
    }
    heldMotion: {
      /** What is held now, such as `opacity` of a transition, a keyframes' name, or `script`. */
      list(): string[]
      /**
       * Holds everything at this share of its duration. Of an element with several animations, the one at `turn` is, and
       * the others are where they would be at that time.
       */
      seek(share: number, turn: number): void
      /** The most animations that an element has at once. */
      turns(): number
      /** Lets what is held end. */
      end(): void
    }
  }
}

/** Holds all animations and transitions of a page as they begin, from its next document on, and what would end them. */
export async function holdMotion(page: Page): Promise<void> {
  await page.addInitScript(installHold)
}

/**
 * Waits until the named motions are held. Expects that axe finds nothing on the page as they begin, and no faint text in
 * what moves at several moments. Lets them end afterwards.
 */
export async function expectGoodMotion(page: Page, names: readonly RegExp[]): Promise<void> {
  for (const name of names)
    await expect.poll(() => page.evaluate(() => window.heldMotion.list())).toContainEqual(expect.stringMatching(name))
  // All rules but those of colours are independent of the scheme.
  const isDark = (await page.locator('html').getAttribute('data-mantine-color-scheme')) === 'dark'
  const barriers = await (isDark ? findBarriers(page) : findFaint(page))
  expect(barriers, `${names} as they begin`).toEqual([])
  expect(await page.evaluate(findFaintMoments, { moments: MOMENTS, rules: colourRules }), `${names}`).toEqual([])
  await page.evaluate(() => window.heldMotion.end())
}

/** Runs in the page, in which axe was run before: that is much faster than to call it for each moment. */
async function findFaintMoments({ moments, rules }: { moments: readonly number[]; rules: readonly string[] }) {
  const { axe, heldMotion } = window
  if (axe === undefined) throw new Error('axe is not on the page.')
  const options = { runOnly: { type: 'rule', values: rules }, resultTypes: ['violations'] }
  const found: string[] = []
  for (let turn = 0; turn < heldMotion.turns(); turn++) {
    for (const moment of moments) {
      heldMotion.seek(moment, turn)
      const { violations } = await axe.run('[data-held]', options)
      for (const { id, nodes } of violations) found.push(`${id} at ${moment}: ${nodes.map(({ html }) => html)}`)
    }
  }
  return found
}

/** Runs in the page. */
function installHold(): void {
  const NEVER_MS = 2 ** 31 - 1
  /** Longer timers end what is shown, such as a dialog's opening or a toast. */
  const TIMER_MAX_MS = 100
  const held = new Set<Animation>()
  const hold = () => {
    for (const motion of document.getAnimations()) {
      if (held.has(motion)) continue
      held.add(motion)
      motion.pause()
    }
  }
  // Called before the frame that would show the change.
  new MutationObserver(hold).observe(document, { subtree: true, childList: true, attributes: true })
  // What a pseudo-class begins is no change of the document.
  const holdEachFrame = () => {
    hold()
    requestAnimationFrame(holdEachFrame)
  }
  requestAnimationFrame(holdEachFrame)
  Element.prototype.animate = new Proxy(Element.prototype.animate, {
    apply: (animate, element, given) => {
      const motion: Animation = Reflect.apply(animate, element, given)
      hold()
      return motion
    },
  })
  window.setTimeout = new Proxy(window.setTimeout, {
    apply: (ask, self, [run, delayMs, ...given]) =>
      Reflect.apply(ask, self, [run, delayMs > TIMER_MAX_MS ? NEVER_MS : delayMs, ...given]),
  })

  const listRunning = () => [...held].filter(({ playState }) => playState === 'paused')
  const groupByTarget = () => {
    const groups = new Map<string | Element | null, Map<string | null, Animation[]>>()
    for (const motion of listRunning()) {
      if (!(motion.effect instanceof KeyframeEffect)) continue
      const { target, pseudoElement } = motion.effect
      target?.setAttribute('data-held', '')
      const parts = groups.get(target) ?? new Map<string | null, Animation[]>()
      groups.set(target, parts.set(pseudoElement, [...(parts.get(pseudoElement) ?? []), motion]))
    }
    return [...groups.values()].flatMap((parts) => [...parts.values()])
  }
  const timeAt = (motion: Animation, share: number) => {
    const { delay = 0, duration } = motion.effect?.getComputedTiming() ?? {}
    return delay + Number(duration) * share
  }
  window.heldMotion = {
    list: () =>
      listRunning().map((motion) => {
        if (motion instanceof CSSAnimation) return motion.animationName
        return motion instanceof CSSTransition ? motion.transitionProperty : 'script'
      }),
    turns: () => Math.max(0, ...groupByTarget().map(({ length }) => length)),
    seek: (share, turn) => {
      for (const group of groupByTarget()) {
        const chosen = group[turn % group.length]
        const timeMs = chosen === undefined ? 0 : timeAt(chosen, share)
        for (const motion of group) motion.currentTime = timeMs
      }
    },
    end: () => {
      for (const motion of listRunning()) {
        if (motion.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY) continue
        motion.finish()
      }
    },
  }
}
