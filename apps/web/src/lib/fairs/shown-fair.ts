import { createStore } from '../ui/create-store.ts'

/** The running fair that the header shows on this page. */
export interface ShownFair {
  /** The visitor's SOL in this fair. */
  readonly balance: string
  /** The fair in which /launch launches a token, as search parameters. */
  readonly launch: { readonly fair: number }
}

export const { set: showFair, use: useShownFair } = createStore<ShownFair | null>(null)
