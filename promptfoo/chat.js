// The messages of one step: the prompt file of the runtime without its head, then the material as JSON.
const fs = require('fs');
const path = require('path');

module.exports = function ({ vars }) {
  const file = path.join(__dirname, '..', 'iris_assets', 'articles', 'prompts', `${vars.step}.md`);
  const text = fs.readFileSync(file, 'utf8').split('---\n').slice(2).join('---\n').trim();
  return [
    { role: 'system', content: text },
    { role: 'user', content: vars.material },
  ];
};
