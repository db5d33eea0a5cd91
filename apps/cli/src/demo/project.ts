import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const files: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "login-page",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'index.html': `<!doctype html>
<title>Log in</title>
<form id="login">
  <label>Name <input name="name" autocomplete="username" /></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" /></label>
  <button>Log in</button>
  <p role="alert" hidden></p>
</form>
<script type="module" src="src/page.js"></script>
`,
  'src/page.js': `import { checkLogin } from './login.js'

const users = [{ name: 'ada', password: 'lovelace' }]

document.querySelector('#login').addEventListener('submit', (event) => {
  event.preventDefault()
  const { name, password } = Object.fromEntries(new FormData(event.target))
  const alert = document.querySelector('[role=alert]')
  alert.hidden = checkLogin(users, name, password)
  alert.textContent = 'Wrong name or password.'
})
`,
  'src/login.js': `/** Does this name and password belong to one of the users? */
export function checkLogin(users, name, password) {
  const user = users.find((candidate) => candidate.name === name)
  if (user === undefined) return false
  return (user.password = password) !== ''
}
`,
  'test/login.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLogin } from '../src/login.js'

const users = () => [{ name: 'ada', password: 'lovelace' }]

test('lets a user in with the right password', () => {
  assert.equal(checkLogin(users(), 'ada', 'lovelace'), true)
})

test('refuses a wrong password', () => {
  assert.equal(checkLogin(users(), 'ada', 'babbage'), false)
})

test('leaves the users as they are', () => {
  const all = users()
  checkLogin(all, 'ada', 'babbage')
  assert.deepEqual(all, users())
})

test('refuses an unknown name', () => {
  assert.equal(checkLogin(users(), 'grace', 'hopper'), false)
})
`,
}

/** Creates the broken login page in a new temporary folder; returns the folder. */
export async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'x-demo-'))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}
