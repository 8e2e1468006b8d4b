import { showFailure } from './toasts.ts'

/** Runs `act`; what it throws is a toast under the title `failure`, with the server's sentence. */
export async function attempt(failure: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    showFailure(failure, error)
  }
}
