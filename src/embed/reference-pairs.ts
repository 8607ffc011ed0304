/**
 * Questions and the passages that answer them, in the form in which passages are embedded: invented documentation of
 * many subjects. `measureSimilarity` measures a model's cosines on them, so that changing a pair changes every score.
 */
export const REFERENCE_PAIRS: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'How do I restore the database from a backup?',
    answer:
      'Administration > Backups\n' +
      "Backups run every night at two o'clock and are kept for thirty days. To bring one back, choose it in " +
      'the list and press Restore; the database is read-only until the copy is complete.',
  },
  {
    question: 'undo a commit that others have already pulled',
    answer:
      'Version control > Undoing changes\n' +
      'The revert command makes a new commit that takes back what an earlier one did. History stays as it was, ' +
      'so others who have already fetched the branch are not disturbed.',
  },
  {
    question: 'who is allowed to invite new people?',
    answer:
      'Users and roles\n' +
      'Each member has one role: viewer, editor or owner. Only owners may invite people, change the roles of ' +
      'others or delete the workspace.',
  },
  {
    question: 'what happens when a mail cannot be delivered at once',
    answer:
      'Email > Sending\n' +
      'Messages are put in a queue and delivered in the background. If the receiving server is busy, delivery ' +
      'is tried again after one, five and thirty minutes before the message is returned to its sender.',
  },
  {
    question: 'make a photo smaller without distorting it',
    answer:
      'Images > Resizing\n' +
      '`resize(width, height)` scales the picture to the given size. Leave one of the two out and the ' +
      'proportions are kept; the colour profile is copied unchanged.',
  },
  {
    question: 'write the result into a file instead of the terminal',
    answer:
      'Command line > Options\n' +
      '| Option | Default | Meaning |\n' +
      '| --verbose | false | Print each step as it is carried out |\n' +
      '| --output | stdout | File that the result is written to |',
  },
  {
    question: 'How much memory does it need?',
    answer:
      'Installation > Requirements\n' +
      'You need 4 GB of memory, about 2 GB of free disk space and a 64-bit processor. The installer checks all ' +
      'three and stops with a message if one is missing.',
  },
  {
    question: 'I lost my phone and cannot get into my account',
    answer:
      'Sign-in > Two-factor authentication\n' +
      'After the password you are asked for a six-digit code from an authenticator app. Print the recovery ' +
      'codes: without them and without your phone, an administrator has to reset your account.',
  },
  {
    question: 'add up only the rows that match something',
    answer:
      'Spreadsheets > Formulas\n' +
      'SUMIF(range, condition, values) adds up the values in whose row the condition holds. Text is compared ' +
      'without regard to case; an empty cell counts as zero.',
  },
  {
    question: 'addMarker',
    answer:
      'Maps > Markers\n' +
      'Call `map.addMarker({ lat, lng, title })` to put a pin on the map. The title is shown when the pin is ' +
      'tapped; `marker.remove()` takes it away again.',
  },
  {
    question: 'can I use my key on another computer?',
    answer:
      'Licensing\n' +
      'A licence is tied to one computer. Moving to a new machine takes two steps: deactivate the old one ' +
      'under Help, then enter the same key on the new one.',
  },
  {
    question: 'my program freezes when two workers wait for each other',
    answer:
      'Threads > Locks\n' +
      'A mutex must be released by the thread that took it. Taking two locks in different orders in two places ' +
      'leads to a deadlock; always take them in the same order.',
  },
  {
    question: 'keep data after the container is deleted',
    answer:
      'Containers > Volumes\n' +
      'Data inside a container is lost when it is removed. Mount a volume at the folder where the service ' +
      'keeps its files, and it will outlive the container.',
  },
  {
    question: 'use the interface without a mouse',
    answer:
      'Accessibility > Keyboard\n' +
      'All controls can be reached with the Tab key and triggered with Enter or Space. A visible outline shows ' +
      'which control has the focus; do not switch it off in your styles.',
  },
  {
    question: 'How long does it take until a customer has their money back?',
    answer:
      'Payments > Refunds\n' +
      'A refund may be full or partial and can be made up to 180 days after the charge. The money reaches the ' +
      "customer's card within five to ten working days.",
  },
  {
    question: 'what is shown if a text has not been translated yet',
    answer:
      'Translations\n' +
      'Strings live in one file per language. A key that is missing in a language falls back to English, and ' +
      'the build lists it as a warning so that translators can find it.',
  },
  {
    question: 'split a string',
    answer:
      'Strings > split\n' +
      '```\n' +
      'split(text, separator, limit?)\n' +
      '```\n' +
      'Returns the parts of a text between separators, as an array. With a limit, the last part holds the rest ' +
      'of the text.',
  },
  {
    question: 'nothing appears on the paper',
    answer:
      'Printing\n' +
      "If the page comes out blank, the driver may be out of date. Download the newest one from the maker's " +
      'site, delete the printer from the list and add it again.',
  },
  {
    question: 'the loss goes up and down and does not settle',
    answer:
      'Machine learning > Training\n' +
      'Lower the learning rate when the loss jumps up and down, and stop early when it no longer falls on the ' +
      'validation set. Shuffle the examples before each epoch.',
  },
  {
    question: 'my select over a big table is slow',
    answer:
      'Database > Indexes\n' +
      'An index on a column makes look-ups by that column fast and writes a little slower. Add one for columns ' +
      'that often stand in a WHERE clause or a join.',
  },
  {
    question: 'stop the phone from buzzing at night',
    answer:
      'Notifications > Quiet hours\n' +
      'Between the two times set here the app stays silent. Alarms and calls from favourites come through all ' +
      'the same.',
  },
  {
    question: 'Where do I report a vulnerability?',
    answer:
      'Security > Reporting\n' +
      'Please do not open a public issue for a security problem. Write to the address below with the steps to ' +
      'reproduce it; we answer within three working days.',
  },
  {
    question: 'quick objects fly through walls',
    answer:
      'Game engine > Physics\n' +
      'Bodies fall with the gravity of their world and bounce according to their restitution, from 0 for clay ' +
      'to 1 for a rubber ball. Fast bodies should have continuous collision turned on so they do not pass ' +
      'through walls.',
  },
  {
    question: 'comment out the current line with a key',
    answer:
      'Editor > Shortcuts\n' +
      '- Ctrl+D selects the next occurrence of the word\n' +
      '- Alt+Up moves the line up\n' +
      '- Ctrl+/ turns the line into a comment and back',
  },
  {
    question: 'Two people edited the same document, which version wins?',
    answer:
      'Files > Sync\n' +
      'When the same file was changed on two devices, both versions are kept: the later one under its name and ' +
      "the earlier one with the device's name added.",
  },
  {
    question: 'E1042',
    answer:
      'Errors > E1042\n' +
      'The certificate of the server has expired or its clock is wrong. Check the date on both machines, then ' +
      'renew the certificate.',
  },
  {
    question: 'my meeting shows at the wrong hour when I travel',
    answer:
      'Calendar > Time zones\n' +
      'An appointment is stored in universal time and shown in the zone of whoever looks at it. All-day events ' +
      'have no zone and stay on their date everywhere.',
  },
  {
    question: 'How can I contribute a change?',
    answer:
      'Contributing > Pull requests\n' +
      'Fork the repository, make a branch, and open a pull request against main. Every change needs a test and ' +
      'a line in the changelog; a maintainer reviews it within a week.',
  },
  {
    question: 'environment variable gone after opening a new terminal',
    answer:
      'Shell > Environment\n' +
      'A variable set with export is seen by all programs started from that shell. To have it in every ' +
      'session, put the line into your profile file.',
  },
  {
    question: 'axis.scale',
    answer:
      'Charts > Axes\n' +
      "The range of an axis is chosen from the data. Set `min` and `max` to fix it, and `scale: 'log'` where " +
      'values differ by orders of magnitude.',
  },
  {
    question: 'read the temperature from the chip',
    answer:
      'Hardware > Sensors\n' +
      'The thermometer is read over the two-wire bus at address 0x48. Values are in sixteenths of a degree; ' +
      'wait 100 ms after power-up before the first reading.',
  },
  {
    question: 'remove everything you know about me',
    answer:
      'Privacy > Deleting your data\n' +
      'You can ask us to delete your account at any time. Personal data is erased within thirty days; invoices ' +
      'are kept for as long as the law demands.',
  },
];
