import { createPermissions } from '@x/permissions'

const permissions = createPermissions({
  rules: [
    { behavior: 'allow', text: 'Bash(npm test *)', layer: 'project' },
    { behavior: 'deny', text: 'Bash(rm *)', layer: 'user' },
  ],
})
for (const command of ['npm test | head', 'npm test; echo "$(rm -rf build)"', 'npm install']) {
  const { behavior, reason } = permissions.check('Bash', { command })
  console.log(`${behavior}: ${command} (${reason.detail})`)
}
