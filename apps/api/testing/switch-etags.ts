import { AnswerCache } from '../src/http/calls/answer-cache.ts'

const validate = AnswerCache.prototype.validate

/** Loaded into a server by a bench: answers made while that says `off` have no ETag. */
process.on('message', (message: unknown) => {
  if (message !== 'off' && message !== 'on') return
  AnswerCache.prototype.validate = message === 'on' ? validate : () => false
  process.send?.('switched')
})
