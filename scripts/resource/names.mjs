const NAME_PATTERN = /^[a-z]+(-[a-z]+)*$/;

/** Returns the names of a resource: plural (`badges`), singular (`badge`) and ID prefix (`bdg`). */
export function namesOf(plural, { singular = singularOf(plural), prefix = prefixOf(singular) } = {}) {
  for (const name of [plural, singular])
    if (!NAME_PATTERN.test(name))
      throw new Error(
        `The name of a resource must consist of lowercase letters and hyphens, such as "access-badges": "${name}".`,
      );
  if (plural === singular) throw new Error(`The singular of "${plural}" must differ from the plural. Set it with --singular.`);
  if (!/^[a-z]{2,5}$/.test(prefix))
    throw new Error(`An id prefix must have 2 to 5 lowercase letters, such as "bdg": "${prefix}".`);
  return { plural, singular, prefix };
}

function singularOf(plural) {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return plural.replace(/s$/, '');
}

/** Returns the default ID prefix: the first letter and two consonants or, for several words, the first letters. */
function prefixOf(singular) {
  const words = singular.split('-');
  if (words.length > 1)
    return words
      .map((word) => word[0])
      .join('')
      .slice(0, 5);
  const [first, ...rest] = singular;
  return [first, ...rest.filter((letter) => !'aeiou'.includes(letter)), ...rest].slice(0, 3).join('');
}

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
const camel = (kebab) => kebab.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Returns all spellings of a name, in a fixed order. */
function formsOf(kebab) {
  const words = kebab.replaceAll('-', ' ');
  const snake = kebab.replaceAll('-', '_');
  return [capitalized(camel(kebab)), camel(kebab), snake.toUpperCase(), snake, kebab, capitalized(words), words];
}

/** Replaces the names of the sample resource in a template. */
export function render(template, { plural, singular, prefix }) {
  const an = /^[aeiou]/.test(singular) ? 'an' : 'a';
  const pairs = [
    ...pairsOf('sample-things', plural),
    ...['a ', 'A '].map((article) => [`${article}sample thing`, `${article[0]}${an.slice(1)} ${singular.replaceAll('-', ' ')}`]),
    ...pairsOf('sample-thing', singular),
    ['smp', prefix],
  ];
  return pairs.reduce((text, [from, to]) => text.replaceAll(from, to), template);
}

function pairsOf(sample, name) {
  const to = formsOf(name);
  return formsOf(sample).map((from, index) => [from, to[index]]);
}
