# Made by src/python/make_function_stubs.py; run it again where flags or functions change.
from . import array as array, results as results, testing as testing
from ._errors import DeviceError as DeviceError
from ._errors import Error as Error
from ._errors import InputError as InputError
from ._errors import OrderlabWarning as OrderlabWarning
from ._errors import UnsupportedError as UnsupportedError
from ._errors import UsageError as UsageError
from ._functions import alternatives as alternatives
from ._functions import check as check
from ._functions import compare as compare
from ._functions import crosscheck as crosscheck
from ._functions import enumerate as enumerate
from ._functions import explain as explain
from ._functions import export as export
from ._functions import fit as fit
from ._functions import list as list
from ._functions import merge as merge
from ._functions import probe as probe
from ._functions import report as report
from ._functions import sample as sample
from ._functions import solve as solve
from ._functions import sum as sum
from ._functions import sweep as sweep
from ._functions import tolerance as tolerance
from ._functions import train as train
from ._functions import tree as tree
from ._functions import verify as verify
from ._functions import worst as worst
from ._record import ConfidenceInterval as ConfidenceInterval
from ._record import Record as Record
from ._record import Result as Result
from ._record import schema as schema
from .exact import Exact as Exact
from .exact import exact_sum as exact_sum

__version__: str
bits_version: int
