// The errors of this module are `CodedError`s. Its users must not need a second import for that.
@_exported public import WharfErrors
