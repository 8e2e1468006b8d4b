/** Result of a `doctor` check, in plain sentences. */
export interface Finding {
  /** `note` means that nothing is broken, but the operator may want to change something. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
  /** The page in docs/operations that helps. */
  readonly page?: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const note = (text: string, page: string): Finding => ({ state: 'note', text, page })
export const wrong = (text: string, page: string): Finding => ({ state: 'wrong', text, page })
