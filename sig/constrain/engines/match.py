"""Answers, line by line, which texts Lark takes under a grammar:

   -> {"lark": "…", "texts": ["…"]}
   <- [true]
"""

import json
import sys

from lark import Lark
from lark.exceptions import UnexpectedInput

for line in sys.stdin:
    question = json.loads(line)
    grammar = Lark(question["lark"], parser="earley", lexer="dynamic_complete")

    def takes(text):
        try:
            grammar.parse(text)
        except UnexpectedInput:
            return False
        return True

    print(json.dumps([takes(text) for text in question["texts"]]), flush=True)
