"""Functions of SciPy that convert their first argument to a NumPy array, which raises for a tracer (SciPy 1.17).

And those that call their first argument, and convert what it returns.
"""

from collections.abc import Mapping
from typing import Final

from .function_rows import NO_ROW, Conversion, KnownFunction

# By area. Those of `special` are ufuncs, which convert every argument.
CONVERTING: Final[Mapping[str, str]] = {
    "special": """
        agm airy airye bdtr bdtrc bdtri bdtrik bdtrin bei beip ber berp besselpoly beta betainc betaincc
        betainccinv betaincinv betaln binom boxcox boxcox1p btdtria btdtrib cbrt chdtr chdtrc chdtri chdtriv
        chndtr chndtridf chndtrinc chndtrix cosdg cosm1 cotdg dawsn digamma ellipe ellipeinc ellipj ellipk
        ellipkinc ellipkm1 elliprc elliprd elliprf elliprg elliprj entr erf erfc erfcinv erfcx erfi erfinv
        eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite
        eval_hermitenorm eval_jacobi eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi
        eval_sh_legendre exp1 exp10 exp2 expi expit expm1 expn exprel fdtr fdtrc fdtri fdtridfd fresnel gamma
        gammainc gammaincc gammainccinv gammaincinv gammaln gammasgn gdtr gdtrc gdtria gdtrib gdtrix hankel1
        hankel1e hankel2 hankel2e huber hyp0f1 hyp1f1 hyp2f1 hyperu i0 i0e i1 i1e inv_boxcox inv_boxcox1p
        it2i0k0 it2j0y0 it2struve0 itairy iti0k0 itj0y0 itmodstruve0 itstruve0 iv ive j0 j1 jn jv jve k0 k0e k1
        k1e kei keip kelvin ker kerp kl_div kn kolmogi kolmogorov kv kve log1p log_expit log_ndtr
        log_wright_bessel loggamma logit lpmv mathieu_a mathieu_b mathieu_cem mathieu_modcem1 mathieu_modcem2
        mathieu_modsem1 mathieu_modsem2 mathieu_sem modfresnelm modfresnelp modstruve nbdtr nbdtrc nbdtri
        nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr nctdtridf nctdtrinc nctdtrit ndtr
        ndtri ndtri_exp nrdtrimn nrdtrisd obl_ang1 obl_cv obl_rad1 obl_rad2 owens_t pbdv pbvv pbwa pdtr pdtrc
        pdtri pdtrik poch powm1 pro_ang1 pro_cv pro_rad1 pro_rad2 pseudo_huber psi radian rel_entr rgamma round
        shichi sici sindg smirnov smirnovi spence stdtr stdtridf stdtrit struve tandg tklmbda voigt_profile wofz
        wright_bessel wrightomega xlog1py xlogy y0 y1 yn yv yve zetac
    """,
    "linalg": """
        block_diag cho_factor cholesky circulant det eig eigh eigvals eigvalsh expm hankel hessenberg inv
        khatri_rao ldl logm lstsq lu lu_factor norm null_space orth pinv pinvh polar qr schur solve
        solve_sylvester solve_triangular sqrtm svd svdvals toeplitz
    """,
    "fft": """
        dct dctn dst dstn fft fft2 fftn fftshift hfft idct idctn idst idstn ifft ifft2 ifftn ifftshift ihfft
        irfft irfft2 irfftn rfft rfft2 rfftn
    """,
}
_NAMES: Final = frozenset(f"{area}.{name}" for area, names in CONVERTING.items() for name in names.split())
# By area: those that call a function with numbers.
CALLING: Final[Mapping[str, str]] = {
    "optimize": """
        basinhopping bisect bracket brent brenth brentq brute curve_fit differential_evolution dual_annealing
        fixed_point fmin fmin_bfgs fmin_l_bfgs_b fminbound fsolve golden least_squares leastsq minimize minimize_scalar
        newton ridder root root_scalar shgo toms748
    """,
    "integrate": "dblquad nquad odeint quad quad_vec solve_bvp solve_ivp tplquad",
}
_CALLING_NAMES: Final = frozenset(f"{area}.{name}" for area, names in CALLING.items() for name in names.split())
_CONVERTS: Final = KnownFunction(converts=Conversion.HOST_FIRST)
_CALLS: Final = KnownFunction(converts=Conversion.HOST_CALLED)
# Of these functions: where they start, and where they look.
CONVERTED_OPTIONS: Final = frozenset({"a", "b", "bounds", "bracket", "t_eval", "t_span", "x0", "x1", "y0"})


def scipy_function(fullname: str) -> KnownFunction:
    """The row of a function of SciPy by its full name; the modules that define them are private."""
    area, name = fullname.split(".")[1:2], fullname.rpartition(".")[2]
    key = f"{area[0]}.{name}" if area else ""
    return _CONVERTS if key in _NAMES else _CALLS if key in _CALLING_NAMES else NO_ROW
