const form = document.querySelector('#setup');
const byId = (id) => document.getElementById(id);

const mutation = `mutation CompleteSetup($token: String!, $organizationName: OrganizationName!, $firstName: PersonName!, $lastName: PersonName!, $email: EmailAddress!, $password: NewPassword!) {
  completeSetup(token: $token, organizationName: $organizationName, firstName: $firstName, lastName: $lastName, email: $email, password: $password) { organizationKey }
}`;

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  showError('');
  const inputs = [...form.querySelectorAll('input[name]')];
  for (const input of inputs) showHint(input, errorOf(input));
  const wrong = inputs.find((input) => errorOf(input) !== '');
  if (wrong) return wrong.focus();
  await send(Object.fromEntries(inputs.map(({ name, value }) => [name, value])));
});

byId('show')?.addEventListener('change', ({ target }) => {
  byId('password').type = target.checked ? 'text' : 'password';
});

byId('copy')?.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(byId('key').textContent);
    byId('copied').textContent = 'Copied.';
  } catch {
    // Browsers allow access to the clipboard only on pages served over HTTPS.
    getSelection().selectAllChildren(byId('key'));
    byId('copied').textContent = 'The key is selected: copy it with the keyboard or the menu.';
  }
});

async function send(input) {
  byId('fields').disabled = true;
  try {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: mutation, variables: { token, ...input } }),
    });
    const { data, errors } = await response.json();
    if (data?.completeSetup) return showKey(data.completeSetup.organizationKey);
    showError(
      withFieldLabels(errors?.[0]?.message ?? 'The server did not understand the request.'),
    );
  } catch {
    showError('The server cannot be reached. Please check the connection and try again.');
  } finally {
    byId('fields').disabled = false;
  }
}

function errorOf({ validity, value, required, minLength, type }) {
  if (required && value.trim() === '') return 'Please fill in this field.';
  if (type === 'email' && validity.typeMismatch) return 'This is not an e-mail address.';
  if (minLength > 0 && [...value].length < minLength)
    return `At least ${minLength} characters, please.`;
  return '';
}

// GraphQL messages name variables such as `$email`; people know the fields by their labels.
const withFieldLabels = (message) =>
  message.replaceAll(/\$(\w+)/g, (_, name) => form.elements[name]?.labels[0].textContent ?? name);

function showHint(input, fault) {
  const hint = byId(`${input.name}-hint`);
  hint.textContent = fault || hint.dataset.hint;
  hint.classList.toggle('fault', fault !== '');
  input.setAttribute('aria-invalid', String(fault !== ''));
}

function showError(message) {
  byId('fault').textContent = message;
  byId('fault').hidden = message === '';
}

function showKey(key) {
  byId('key').textContent = key;
  byId('curl').textContent =
    `curl -H 'Authorization: Bearer ${key}' ${location.origin}/api/user-management/v1/users`;
  form.hidden = true;
  byId('done').hidden = false;
  document.title = 'Your organization is ready – Atrium';
  history.replaceState(null, '', '/setup');
  byId('done').querySelector('h1').focus();
}
