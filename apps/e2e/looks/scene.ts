import type { Page } from '@playwright/test'
import type { Player } from '../support/player.ts'
import type { Visit } from '../support/test.ts'
import type { MadeMarket } from './made-market.ts'

/** A player and the market, before a screen is open. */
export interface Setting {
  readonly market: MadeMarket
  /** The player whose session the page has, or a new player. */
  readonly player: Player
}

/** An open screen with its player and market. */
export interface Scene extends Setting {
  readonly page: Page
  readonly device: string
  /** Checks the screen in its current state, or takes a picture of it. `state` is added to its name. */
  look(state?: string, page?: Page): Promise<void>
  /** Opens another page with the same window. */
  open(path: string, visit?: Visit): Promise<Page>
}

/** A screen, with the states in which it is checked and pictured. */
export interface Screen {
  readonly name: string
  /** Prepares the market and returns the path. */
  readonly path: string | ((setting: Setting) => string | Promise<string>)
  /** The player whose session the page has. By default, a guest. */
  readonly as?: 'trader' | 'newcomer' | 'new'
  /** Called before the page opens. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Called with the open page, before the last check or picture. */
  readonly act?: (scene: Scene) => Promise<unknown>
  /** Console errors that the screen causes. */
  readonly expected?: RegExp
  /** Whether to take a picture of only the visible part. For dialogs and endless pages. */
  readonly isWindow?: boolean
  /** Whether the screen is also checked on a tablet. */
  readonly hasTables?: boolean
}
