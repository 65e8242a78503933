type FormField = {
  name: string;
  label: string;
  type?: string;
  autocomplete: string;
  attributes?: string;
  hint?: string;
};

const page = (title: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Atrium</title>
<link rel="stylesheet" href="/setup/setup.css">
<script type="module" src="/setup/setup.js"></script>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;

const field = ({
  name,
  label,
  type = 'text',
  autocomplete,
  attributes = '',
  hint = '',
}: FormField) => `<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${name}-hint" ${attributes}>
<p class="hint" id="${name}-hint" data-hint="${hint}">${hint}</p>
</div>`;

export const setupFormPage = page(
  'Set up',
  `<form id="setup" method="post" novalidate>
<h1 tabindex="-1">Set up Atrium</h1>
<p>This creates your organization and your account, which is its first administrator.</p>
<noscript><p class="fault">This page needs JavaScript. Please allow it and load the page again.</p></noscript>
<p class="fault" id="fault" role="alert" hidden></p>
<fieldset id="fields">
${field({ name: 'organizationName', label: 'Organization', autocomplete: 'organization', attributes: 'required maxlength="200"' })}
${field({ name: 'firstName', label: 'First name', autocomplete: 'given-name', attributes: 'required maxlength="200"' })}
${field({ name: 'lastName', label: 'Last name', autocomplete: 'family-name', attributes: 'required maxlength="200"' })}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', attributes: 'required maxlength="254"', hint: 'You sign in with this address.' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', attributes: 'required minlength="10" maxlength="128"', hint: 'At least 10 characters. A sentence is easy to remember.' })}
<p class="choice"><input id="show" type="checkbox"><label for="show">Show the password</label></p>
<button type="submit">Set up</button>
</fieldset>
</form>
<section id="done" hidden>
<h1 tabindex="-1">Your organization is ready</h1>
<p>This is an API key of your organization, for programs that use the API. <strong>It is shown only once</strong>: store it in a safe place.</p>
<p class="key"><code id="key"></code></p>
<p><button type="button" id="copy">Copy the key</button> <span id="copied" role="status"></span></p>
<p>Try it:</p>
<pre tabindex="0" role="region" aria-label="Example of a call"><code id="curl"></code></pre>
</section>`,
);

export const invalidLinkPage = page(
  'This link does not work',
  `<h1>This link does not work</h1>
<p>The link was already used, is older than a day, is not the latest one, or is incomplete.</p>
<p>Until there is an organization, each start of Atrium prints a new link. Afterwards its administrators can sign in.</p>`,
);
