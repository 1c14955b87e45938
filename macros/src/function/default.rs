//! The value of an argument that is left out.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, Type, UnOp};

use super::{Function, Parameter, body::at};

impl Function {
    /// The functions that make the defaults: one place for each, so that a wrong default is one message.
    pub(crate) fn defaults(&self) -> TokenStream {
        let functions = self.parameters.iter().filter_map(|it| {
            let (ty, written) = (&it.ty, it.options.default.as_ref()?);
            let function = function(it);
            let value = value(ty, written);
            Some(quote_spanned! {at(written)=>
                fn #function() -> #ty {
                    #value
                }
            })
        });
        quote!(#(#functions)*)
    }
}

/// The name of the function that makes this parameter's default.
pub(super) fn function(parameter: &Parameter) -> Ident {
    format_ident!("__default_of_{}", parameter.name)
}

/// A plain literal is read as if a client had sent it, so that `5` can be an `Int<1, 12>`.
fn value(ty: &Type, written: &Expr) -> TokenStream {
    let read = match bare(written) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote!(text_default::<#ty>(#text)),
        number if is_integer(number) => quote!(int_default::<#ty>(#number)),
        other => return quote!(#other),
    };
    // The first line names the bound as the request and the schema do: the compiler merges the errors.
    quote_spanned! {at(ty)=>
        ::tollgate::private::argument::<#ty>();
        ::tollgate::private::#read
    }
}

/// Whether this is a number without a type that fits an `i64`, with or without a minus.
fn is_integer(written: &Expr) -> bool {
    match written {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            integer(bare(expr)).is_some_and(|it| it <= i64::MIN.unsigned_abs())
        }
        number => integer(number).is_some_and(|it| i64::try_from(it).is_ok()),
    }
}

fn integer(written: &Expr) -> Option<u64> {
    match written {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => plain(number),
        _ => None,
    }
}

fn plain(number: &LitInt) -> Option<u64> {
    number.base10_parse().ok().filter(|_| number.suffix().is_empty())
}

/// The expression without the parentheses, visible or not, that stand around it.
fn bare(written: &Expr) -> &Expr {
    match written {
        // An expression that went through `macro_rules!` arrives in an invisible group.
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn written_for(default: &Expr) -> String {
        value(&parse_quote!(T), default).to_string()
    }

    fn read_by(call: &TokenStream) -> String {
        quote!(::tollgate::private::argument::<T>(); ::tollgate::private::#call).to_string()
    }

    #[test]
    fn a_text_is_read_as_if_it_had_been_sent() {
        let written = written_for(&parse_quote!("all"));

        assert_eq!(written, read_by(&quote!(text_default::<T>("all"))));
    }

    #[test]
    fn a_number_is_read_as_if_it_had_been_sent() {
        let written = written_for(&parse_quote!(0xff));

        assert_eq!(written, read_by(&quote!(int_default::<T>(0xff))));
    }

    #[test]
    fn a_number_may_be_the_smallest_there_is() {
        let written = written_for(&parse_quote!(-9223372036854775808));

        assert_eq!(written, read_by(&quote!(int_default::<T>(-9223372036854775808))));
    }

    #[test]
    fn a_literal_may_stand_in_parentheses() {
        let written = written_for(&parse_quote!((5)));

        assert_eq!(written, read_by(&quote!(int_default::<T>(5))));
    }

    #[test]
    fn a_number_that_fits_no_i64_stays_as_it_is() {
        assert_eq!(written_for(&parse_quote!(9223372036854775808)), "9223372036854775808");
    }

    #[test]
    fn a_number_with_a_type_stays_as_it_is() {
        assert_eq!(written_for(&parse_quote!(5u8)), "5u8");
    }

    #[test]
    fn a_number_with_a_fraction_stays_as_it_is() {
        assert_eq!(written_for(&parse_quote!(0.5)), "0.5");
    }

    #[test]
    fn any_other_expression_stays_as_it_is() {
        let written = written_for(&parse_quote!(Text::from("all")));

        assert_eq!(written, quote!(Text::from("all")).to_string());
    }
}
