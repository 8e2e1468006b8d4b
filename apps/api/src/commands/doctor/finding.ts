/** What a check of `doctor` found, in plain sentences. */
export interface Finding {
  /** `note`: nothing is broken, but the operator may want it otherwise. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
  /** The page of docs/operations that helps. */
  readonly page?: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const note = (text: string, page: string): Finding => ({ state: 'note', text, page })
export const wrong = (text: string, page: string): Finding => ({ state: 'wrong', text, page })
