/** Runs all steps of a stack, the last one first, even if some fail. Returns the errors of the steps that failed. */
export async function disposeAll(stack: AsyncDisposableStack): Promise<unknown[]> {
  try {
    await stack.disposeAsync()
    return []
  } catch (error) {
    return listErrors(error)
  }
}

/** Lists the errors in a chain of causes. The first error in the chain is the last failure. */
function listErrors(error: unknown): unknown[] {
  return error instanceof SuppressedError ? [...listErrors(error.suppressed), error.error] : [error]
}
