export { knownBrowserOf, makeKnown } from '../../security/known-browser.ts'
