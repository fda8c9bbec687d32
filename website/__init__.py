"""Builds the documentation site: `make site`.

The pages are the Markdown files of the repository, which read well where they are. `pages` lists them, and says where
each stands on the site. `links` points the links of a page at other pages; `blocks` turns test cases into listings, and
Mermaid into drawings. The result goes to `build/pages`, and Zensical makes `build/site` of it.
"""
