import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../src/lib/api/query-client.ts'

afterEach(() => queryClient.clear())

/** Watches a query whose responses the test gives, in the order in which they were requested. */
function watchAnswers() {
  const answers: Array<PromiseWithResolvers<string>> = []
  const observer = new QueryObserver(queryClient, {
    queryKey: ['events'],
    queryFn: () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    },
  })
  const stop = observer.subscribe(() => {})
  return { answers, stop, read: () => queryClient.getQueryData(['events']) }
}

it('a query whose first fetch began before a change is fetched once more', async () => {
  const { answers, stop, read } = watchAnswers()
  void queryClient.invalidateQueries({ queryKey: ['events'] })
  answers[0]?.resolve('before the change')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.resolve('after it')
  await vi.waitFor(() => expect(read()).toBe('after it'))
  expect(answers).toHaveLength(2)
  stop()
})

it('also if the first fetch failed, and not for other queries', async () => {
  const { answers, stop, read } = watchAnswers()
  void queryClient.invalidateQueries({ queryKey: ['others'] })
  void queryClient.invalidateQueries({ queryKey: ['events'] })
  answers[0]?.reject(new Error('away'))
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.resolve('after it')
  await vi.waitFor(() => expect(read()).toBe('after it'))
  stop()
})

it('also for a list that is fetched page by page', async () => {
  const pages: string[] = []
  const first = Promise.withResolvers<string>()
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ['pages'],
    queryFn: () => (pages.push('asked') === 1 ? first.promise : 'after the change'),
    initialPageParam: 0,
    getNextPageParam: () => undefined,
  })
  const stop = observer.subscribe(() => {})
  void queryClient.invalidateQueries({ queryKey: ['pages'] })
  first.resolve('before the change')
  await vi.waitFor(() => expect(queryClient.getQueryData(['pages'])).toMatchObject({ pages: ['after the change'] }))
  expect(pages).toHaveLength(2)
  stop()
})
