/**
 * Every expected failure: its HTTP status, and an example of its sentence. An operation lists its own under `errors`;
 * those of every operation of a kind are added by the document.
 */
export const errors = {
  BAD_INPUT: { status: 400, example: 'id must be above 0.' },
  RESET_CODE_INVALID: { status: 400, example: 'Invalid or expired reset code.' },
  EMAIL_LINK_INVALID: { status: 400, example: 'This link is good no more. You can ask for a new one in the settings.' },
  WEAK_PASSWORD: { status: 400, example: 'This password is too easy to guess. Please choose another one.' },
  PASSKEY_INVALID: { status: 400, example: 'This passkey was not accepted. Please try again, or use another way in.' },
  NOT_SIGNED_IN: { status: 401, example: 'Please login to do this.' },
  INVALID_CREDENTIALS: { status: 401, example: 'Invalid credentials.' },
  SECOND_FACTOR_NEEDED: {
    status: 401,
    example: 'Please enter the six digits of your authenticator app, or a recovery code.',
  },
  SECOND_FACTOR_INVALID: {
    status: 401,
    example: 'This code is not valid, or it was used already. Please wait for the next one.',
  },
  API_KEY_INVALID: { status: 401, example: 'This API key is not valid.' },
  KEY_EXPIRED: { status: 401, example: 'This API key has expired. Please make a new one.' },
  API_KEY_NOT_ALLOWED: { status: 403, example: 'This API key lacks the scope "trade".' },
  KEY_NETWORK_NOT_ALLOWED: { status: 403, example: 'This API key does not work from your network.' },
  ACCOUNT_SUSPENDED: {
    status: 403,
    example: 'Your account is suspended: you can sell what you hold, but not buy, launch or rug.',
  },
  ACCOUNT_FROZEN: { status: 403, example: 'This account is frozen: many accounts of one person.' },
  CROSS_ORIGIN: { status: 403, example: 'Requests from other sites are refused.' },
  NOT_YOURS: { status: 403, example: 'This belongs to somebody else.' },
  CONFIRMATION_NEEDED: { status: 403, example: 'Please confirm that it is you, then try again.' },
  WRONG_PASSWORD: { status: 403, example: 'This is not your password.' },
  WRONG_CODE: { status: 403, example: 'This code is not valid, or it was used already. Please wait for the next one.' },
  UPLOAD_LINK_INVALID: { status: 403, example: 'This upload address is not valid.' },
  EXPORT_LINK_INVALID: {
    status: 403,
    example: 'This download is not open any more. Please ask for it again in Settings.',
  },
  NOT_FOUND: { status: 404, example: 'There is nothing at this address.' },
  TOKEN_NOT_FOUND: { status: 404, example: 'Token not found.' },
  MOMENT_NOT_FOUND: { status: 404, example: 'There is no such moment: the last number of this token is 41.' },
  FAIR_NOT_FOUND: { status: 404, example: 'There is no such fair.' },
  TAPE_NOT_FOUND: { status: 404, example: 'There is no such tape.' },
  UPLOAD_NOT_FOUND: { status: 404, example: 'There is no uploaded picture at this address. Please upload it again.' },
  METHOD_NOT_ALLOWED: { status: 405, example: 'This address takes POST only.' },
  NOT_ACCEPTABLE: {
    status: 406,
    example: 'This address answers with application/json, which your Accept header does not name.',
  },
  USERNAME_TAKEN: { status: 409, example: 'This username, or one that looks like it, is already taken.' },
  EMAIL_TAKEN: { status: 409, example: 'This e-mail address is already registered.' },
  SEALED: { status: 409, example: 'You have sealed the liquidity of this token until 2026-03-02 12:00:00 UTC.' },
  FAIR_ENDED: { status: 409, example: 'This fair has ended: its tokens can no longer be traded.' },
  FAIR_NOT_OPEN: { status: 409, example: 'This fair opens at 2026-03-01 13:00:00 UTC.' },
  FAIR_FULL: { status: 409, example: 'This fair is full: it takes 500 players.' },
  NOT_IN_FAIR: { status: 403, example: 'Enter this fair first: its tokens are bought with its own SOL.' },
  FAIR_RULE: { status: 409, example: 'Rug pulls are off in this fair.' },
  TOO_MANY_FAIRS: { status: 422, example: 'You already host 3 rooms and cups. Please end one of them first.' },
  TOKEN_CLOSED: { status: 409, example: 'This token was rugged and can no longer be traded.' },
  TAPE_NOT_PLAYED: { status: 409, example: 'Play this tape first: it tells nothing before.' },
  TAPE_ENDS: { status: 409, example: 'It is too late to play today’s tape. The next one begins at 00:00 UTC.' },
  UPLOAD_EXISTS: { status: 409, example: 'This upload address was used already. Please ask for a new one.' },
  WEBHOOK_EXISTS: { status: 409, example: 'You already have a webhook at this address.' },
  ALERT_REACHED: { status: 409, example: 'The price is there already. Please choose another one.' },
  SECOND_FACTOR_ON: {
    status: 409,
    example: 'Your account has an authenticator app already. Please switch it off first.',
  },
  SECOND_FACTOR_OFF: { status: 409, example: 'Your account has no authenticator app.' },
  SETUP_EXPIRED: { status: 409, example: 'This setup has expired. Please begin again.' },
  PASSKEY_EXISTS: { status: 409, example: 'This passkey has been added before.' },
  PAYLOAD_TOO_LARGE: { status: 413, example: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, example: 'Please send the request as application/json.' },
  NOT_A_PICTURE: {
    status: 415,
    example: 'This file is not a picture that can be read. Please choose a PNG, JPEG, WebP, GIF or AVIF.',
  },
  FOREIGN_HOST: { status: 421, example: 'This server does not serve the host that was asked for.' },
  AMOUNT_TOO_LARGE: { status: 422, example: 'The amount is too large.' },
  INSUFFICIENT_BALANCE: { status: 422, example: 'Insufficient balance: you have 0.5 SOL and this needs 1 SOL.' },
  INSUFFICIENT_TOKENS: { status: 422, example: 'Insufficient tokens: you hold 12.5.' },
  NET_WORTH_TOO_HIGH: {
    status: 422,
    example: 'Your net worth is 42 SOL. An account can be reset when it is under 10 SOL.',
  },
  OUTPUT_IS_ZERO: { status: 422, example: 'The amount is too small to trade: nothing would be paid out.' },
  REQUEST_KEY_REUSED: { status: 422, example: 'This idempotency key was already used for another order.' },
  SEAL_TOO_SHORT: {
    status: 422,
    example:
      'This token is sealed until 2026-03-02 12:00:00 UTC: a seal can be made longer by a tenth of its new term or more, never shorter.',
  },
  SLIPPAGE_EXCEEDED: {
    status: 422,
    example: 'The price has moved: you would receive 31999999, less than your minimum of 32000000.',
  },
  SPENDING_LIMIT_REACHED: {
    status: 422,
    example: 'This API key may spend 10 SOL a day: 0.5 SOL is left until 2026-03-02 00:00 UTC, and this needs 1 SOL.',
  },
  TOO_MANY_ALERTS: { status: 422, example: 'You already have 50 price alerts. Please remove one of them first.' },
  PUSH_UNAVAILABLE: { status: 422, example: 'This server sends no push messages.' },
  TOO_MANY_WEBHOOKS: { status: 422, example: 'You already have 5 webhooks. Please remove one of them first.' },
  WEBHOOKS_UNAVAILABLE: { status: 422, example: 'This server calls no webhooks.' },
  TOO_MANY_KEYS: { status: 422, example: 'You already have 10 API keys. Please revoke one of them first.' },
  TOO_MANY_PASSKEYS: { status: 422, example: 'You already have 20 passkeys. Please remove one of them first.' },
  WATCHLIST_FULL: { status: 422, example: 'You already watch 200 tokens. Please take the star off one of them first.' },
  PASSKEYS_UNAVAILABLE: { status: 422, example: 'Passkeys work at an https address or at localhost only.' },
  RATE_LIMITED: { status: 429, example: 'Too many requests. Please try again in 7 seconds.' },
  PROOF_OF_WORK_NEEDED: {
    status: 429,
    example: 'Too many requests. Please try again in 300 seconds, or at once with a proof of work.',
  },
  RESET_TOO_SOON: { status: 429, example: 'You can reset your account once a day. Please come back in 3 hours.' },
  TOO_MANY_ORDERS: { status: 429, example: 'You already have 8 orders under way. Please wait for their answers.' },
  BUSY: { status: 503, example: 'The market is busy and your order was not placed. Please try again in a moment.' },
  OUTCOME_UNKNOWN: {
    status: 503,
    example:
      'It is not known whether your order was placed. Repeat it with the idempotency key order-1: it is never placed twice.',
  },
  DATABASE_AWAY: { status: 503, example: 'The market is out of reach for a moment. Please try again.' },
  STORAGE_AWAY: { status: 503, example: 'Pictures cannot be stored or read for a moment. Please try again.' },
  INTERNAL: { status: 500, example: 'Something went wrong on our side.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly example: string }>>

export type ErrorCode = keyof typeof errors

/** Errors of every order. */
export const ORDER_ERRORS = [
  'REQUEST_KEY_REUSED',
  'TOO_MANY_ORDERS',
  'BUSY',
  'OUTCOME_UNKNOWN',
  'NOT_IN_FAIR',
  'FAIR_NOT_OPEN',
  'FAIR_ENDED',
  'FAIR_RULE',
] as const
/** Errors of the market maker. */
export const TRADE_ERRORS = ['AMOUNT_TOO_LARGE', 'OUTPUT_IS_ZERO'] as const
