import { Registry } from 'prom-client'
import { createPasswordHasher } from '../../../src/features/account/password/passwords.ts'

const passwords = createPasswordHasher(new Registry())
process.stdout.write(await passwords.hash('', 'secret'))
await passwords.close()
