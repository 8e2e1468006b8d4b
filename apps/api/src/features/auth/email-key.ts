export { emailKey } from '../../security/email-key.ts'
