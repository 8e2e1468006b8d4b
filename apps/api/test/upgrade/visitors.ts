/** The time at which `market.sql` was dumped. */
export const LEFT_AT = new Date('2024-05-09T10:05:02.345Z')

/** Session cookies and usernames. */
export const sessions: readonly (readonly [token: string, username: string])[] = [
  ['k9JN0Z5ClfjTbimQDmimx_xgJn7JwQL97P6_kU7YXY4', 'ada'],
  ['ce5QHRJZk3Wgq7qyo5nNEu3FhI6MpLZO-ze6XPgNHpg', 'ada'],
  ['X6VngVN9DqfdkuKRfUMCMn158nNliUAWmkopXmRPrAM', 'admin'],
  ['FiXPRmRlDMK9IoTcV6CwVfIMwVx0xUT94_8Ur9B9q-c', 'Mоon 🌙 Ⅷ'],
  ['gVtqX4lklU-OYqreF0I-gs-ah6BHqcVgpUwj0q1YZns', 'eve'],
  ['FNIERkqYctPamaiRpydmEY4pa3CxMhFKJMst_rBWgig', 'gone'],
]

/** Emails, passwords and usernames: some that would be rejected today, and ordinary ones. */
export const logins: readonly (readonly [email: string, password: string, username: string])[] = [
  ['ada@papermoon.example', 'secret-1', 'ada'],
  ['admin@papermoon.example', '123456', 'admin'],
  ['<odd@papermoon.example', '      ', 'Mоon 🌙 Ⅷ'],
  ['Eve@Papermoon.example', 'secret-1', 'eve'],
]

/** API keys: ada's with read and trade, another player's with read. */
export const keys = {
  trade: 'pm_u3dM9ApTXHMGlq9XZ91G3aswz90g15ARnfZfYApm0Tc',
  read: 'pm_-3X20rboqhFOkHvCqMMbMFHUS--0d4zjIAwoeDvi9bE',
}

/** The cookie value of ada's browser, which is trusted. */
export const knownBrowser = 'AkLH0Z_WeimLXoO2N4_g53ViKkQ27Z9FZJq_pA'

/** A reset that the player `gone` requested half a minute before, with one wrong try. */
export const reset = {
  code: '409812',
  token: 'UVzGXV0NEbGLPt0eTUGgmkms7_fICUla5zRftx-illo',
  email: 'gone@papermoon.example',
}

export const tokens = { moon: 1, rugged: 2, hidden: 3 }
