// `import Wharf` is all that an app needs.
@_exported public import WharfCache
@_exported public import WharfCore
@_exported public import WharfHTTP
@_exported public import WharfRepository

#if SQLite
@_exported public import WharfSQLite
#endif
