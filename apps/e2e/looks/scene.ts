import type { Page } from '@playwright/test'
import type { Player } from '../support/player.ts'
import type { Visit } from '../support/test.ts'
import type { MadeMarket } from './made-market.ts'

/** A player and the market, before the screen is open. */
export interface Setting {
  readonly market: MadeMarket
  /** The player whose session is used, or a new player. */
  readonly player: Player
}

/** An open screen. */
export interface Scene extends Setting {
  readonly page: Page
  readonly device: string
  /** Checks the screen as it is, or takes its picture. `state` is added to the name. */
  look(state?: string, page?: Page): Promise<void>
  /** Opens another page with the same window. */
  open(path: string, visit?: Visit): Promise<Page>
}

/** A screen, with the states in which it is checked and pictured. */
export interface Screen {
  readonly name: string
  /** Prepares the market and returns the path. */
  readonly path: string | ((setting: Setting) => string | Promise<string>)
  /** The player whose session is used; a guest by default. */
  readonly as?: 'trader' | 'newcomer' | 'new'
  /** Runs before navigation. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Runs on the page before the last look. */
  readonly act?: (scene: Scene) => Promise<unknown>
  /** Console errors that the screen causes. */
  readonly expected?: RegExp
  /** Takes a picture of only the visible part, for dialogs and endless pages. */
  readonly isWindow?: boolean
  /** The screen is also checked on a tablet. */
  readonly hasTables?: boolean
}
