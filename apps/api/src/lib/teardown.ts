/** Runs all steps of a stack, the last one first, even if some fail. Returns the errors of the failed steps. */
export async function disposeAll(stack: AsyncDisposableStack): Promise<unknown[]> {
  try {
    await stack.disposeAsync()
    return []
  } catch (error) {
    return listErrors(error)
  }
}

/** Lists the errors in a chain of causes. The outermost error is the last failure. */
function listErrors(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listErrors(error.suppressed), error.error] : [error]
}
