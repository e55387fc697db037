/** What the reference says beside the tables. */
export const intro = `# The contract of a source

A contract says how a list or search API is read: what is asked, where the rows are, how the read continues, what ends it, and what can make an
empty answer worthless. It is the part of a source of [a register](../how-to/write-a-register.md) that speaks of the API, not of the business question. What it leaves open is
computed (\`lacuna contract explain FILE\`), and a source that could never support a no-match is refused when it is loaded.

Rules of the language:

- Unknown fields are errors, with the line.
- Nothing that ends a read has a default: \`end\`, \`noCursor\`, \`ends\`, \`continues\` and \`relation\` are written down. What a value means that
  is not listed is unknown, and holds. Where the documentation is silent, leave the statement out or take the stricter reading.
- An end signal that a page contradicts is \`end-signals-conflict\`, never an end. An empty page is no end unless \`empty-page\` says so.
- Every duration is in milliseconds. Numbers are compared by value, texts by characters.
- This page is generated from [the schema](../schemas/contract.schema.json); fields of \`connect\` belong to an HTTP source.

Write it in the order of this page. Ask of the documentation: what does the *last* page look like, and what does a page look like that is *not*
the whole truth?`;

export const sharedForms = `## Forms that many fields share

### Pointers

JSON Pointer (RFC 6901): \`/meta/next\`, \`/rows/0/id\`; the empty text is the whole body. \`~1\` stands for a slash and \`~0\` for a tilde in a name.

### Places

Where a value of an answer stands. A text is a pointer into the body; else an object with one of

- \`{ header: x-next-page }\`: a header, in lower case;
- \`{ link: next }\`: the target of the link of that relation in the header \`link\`;
- \`{ lastRow: /id }\`: a pointer within the row that came last.

### Send places

Where a value of paging is written. A text is a query parameter of that name; else \`{ in: query | header | body | path, name: ... }\`. In the body
the name is a pointer, made where it is absent; in the path it replaces \`{name}\`.

### Values

A value of a request. A text, number or boolean is fixed; else an object with one of

- \`{ value: text }\`: fixed;
- \`{ identifier: account }\`: the question's identifier, left out where it was not asked;
- \`{ secret: reference }\`: a secret;
- \`{ opened: pit }\`: what \`open.take\` took;
- \`{ template: 'ref:"{reference}"', escape: backslash, unsafe: '["]' }\`: text with identifiers in braces. \`escape\` (\`none\`, \`backslash\`,
  \`double-quotes\`, \`double-single-quotes\`, \`url\`) is applied to each value put in; a question with a value that the regular expression
  \`unsafe\` finds is not asked (\`value-unsafe\`). With \`escape: none\` the default of \`unsafe\` allows letters, digits and \`@ . _ -\` alone.

In a JSON body the same stands as \`{ $identifier: account }\`, \`{ $opened: pit }\`, \`{ $secret: reference }\` and \`{ $template: { ... } }\`.

### References

Secrets and addresses never stand in a contract: \`{ env: NAME }\` of the environment, or \`{ file: PATH }\`.`;

export const sectionTexts: Readonly<Record<string, string>> = {
  '1. The request':
    'One request per page, below the base URL. Paging adds its own values (section 3). An identifier in the path, in a parameter or in the body is a filter: say in section 7 how the source compares it.',
  '2. Where the rows are': 'An answer without its list, or with a row without an id, is no page: `response-invalid`.',
  '3. How it continues':
    'A cursor that comes back, a page that was seen, or a URL of another origin stops the read: never an end. A page size is asked for and not believed: fewer rows than asked for say nothing unless `short-page` says so.',
  '4. What ends it':
    'List every signal that the API documents: all of them must agree on every page. `short-page` and `empty-page` alone are refused where access rules drop rows after the limit; a total alone is refused where it is no exact count, or over a cursor.',
  '5. What makes it worthless':
    'What an answer shows stands under `flags`, `errors`, `caps` and `snapshot`. What it cannot show stands under `hazards`: each is lifted by a parameter that is sent, attested by somebody until a date, or a doubt for ever.',
  '6. Time':
    'Evidence holds up to the start of the first request, less the greatest lag, the newest part that is left out, and the clock skew. `drift` says what keeps a record from being missed because others are inserted or deleted during the read.',
  '7. Sight':
    'A filter that the source compares more strictly than the register’s rule for that identifier (`normalise`) hides matching records. An identifier that is sent and not listed under `comparison` is compared in an unknown way, and holds. Send nothing, or only a scope that is stored as it is sent, where that is affordable.',
  '8. Means': 'How hard the source is asked. None of this makes evidence stronger or weaker.',
};

export const layersText = `\`presets\` names contracts that come with Lacuna (\`lacuna contract list\`), or has them written out. They are merged in order, the source's own
fields last. Of two layers that state the same claim **the weaker stands, whoever says it**: the larger lag, the weaker \`drift\`, \`visibility\`,
\`relation\` and \`replay\`, the shorter list of \`noCursor\` values. Lists of \`end\`, \`flags\`, \`caps\`, \`errors\`, \`hazards\` and \`requires\` are
joined, and all must hold. Wiring (paths, places, parameters, credentials) is replaced by the later layer; maps merge by name. A claim that only
one layer makes stands. So a source can answer a preset's hazard by sending what lifts it or by \`attested\`, and cannot talk it away.

A preset's file has \`name\`, \`about\` (product, versions, endpoint, documentedAt) and any of the fields of this page, none of them required.`;
