// Tables look as the theme draws them.
for (const table of document.querySelectorAll('div.rst-content table')) table.classList.add('docutils');
