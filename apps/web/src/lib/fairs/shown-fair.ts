import { createStore } from '../ui/stored.ts'

/** The running fair that the header of this page shows. */
export interface ShownFair {
  /** The visitor's SOL in this fair. */
  readonly balance: string
  /** Search parameters of /launch that choose the fair. */
  readonly launch: { readonly fair: number }
}

export const { set: showFair, use: useShownFair } = createStore<ShownFair | null>(null)
