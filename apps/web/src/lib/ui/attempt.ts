import { showFailure } from './toasts.ts'

/** Runs `act`. If `act` throws, shows a toast with the title `failure` and the server's sentence. */
export async function attempt(failure: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    showFailure(failure, error)
  }
}
